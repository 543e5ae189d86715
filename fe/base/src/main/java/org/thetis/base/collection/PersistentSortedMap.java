// SPDX-License-Identifier: Apache-2.0
package org.thetis.base.collection;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map in key order whose changes copy only the path to the changed entry (an AVL tree), so that every version of a
 * large catalog shares almost all of its memory with the one before. Safe to read from any thread.
 */
public final class PersistentSortedMap<K extends Comparable<K>, V> implements Iterable<Map.Entry<K, V>> {
    private static final PersistentSortedMap<?, ?> EMPTY = new PersistentSortedMap<Integer, Object>(null);

    private final @Nullable Node<K, V> root;

    private PersistentSortedMap(@Nullable Node<K, V> root) {
        this.root = root;
    }

    private record Node<K, V>(
            K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right, int height, int size)
            implements Map.Entry<K, V> {
        @Override
        public K getKey() {
            return key;
        }

        @Override
        public V getValue() {
            return value;
        }

        @Override
        public V setValue(V value) {
            throw new UnsupportedOperationException("persistent maps do not change");
        }
    }

    @SuppressWarnings("unchecked") // An empty map holds nothing of any type.
    public static <K extends Comparable<K>, V> PersistentSortedMap<K, V> empty() {
        return (PersistentSortedMap<K, V>) EMPTY;
    }

    /** A map of `values` under the keys that `key` gives them; later values win. */
    public static <K extends Comparable<K>, V> PersistentSortedMap<K, V> of(Iterable<V> values, Function<V, K> key) {
        PersistentSortedMap<K, V> map = empty();
        for (V value : values) {
            map = map.with(key.apply(value), value);
        }
        return map;
    }

    public int size() {
        return root == null ? 0 : root.size;
    }

    public boolean isEmpty() {
        return root == null;
    }

    public Optional<V> find(K key) {
        return Optional.ofNullable(get(key));
    }

    public boolean contains(K key) {
        return get(key) != null;
    }

    /** The value, or null: the form for hot paths. */
    public @Nullable V get(K key) {
        Node<K, V> node = root;
        while (node != null) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return node.value;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** The entry with the largest key not above `key`. */
    public Optional<Map.Entry<K, V>> floor(K key) {
        Node<K, V> node = root;
        Node<K, V> best = null;
        while (node != null) {
            if (node.key.compareTo(key) <= 0) {
                best = node;
                node = node.right;
            } else {
                node = node.left;
            }
        }
        return Optional.ofNullable(best);
    }

    /** A map that also holds this entry, in place of an earlier one with the same key. */
    public PersistentSortedMap<K, V> with(K key, V value) {
        return new PersistentSortedMap<>(insert(root, key, value));
    }

    /** A map without this key; this map itself when it has none. */
    public PersistentSortedMap<K, V> without(K key) {
        return contains(key) ? new PersistentSortedMap<>(remove(root, key)) : this;
    }

    public List<V> values() {
        List<V> values = new ArrayList<>(size());
        for (Map.Entry<K, V> entry : this) {
            values.add(entry.getValue());
        }
        return values;
    }

    public List<K> keys() {
        List<K> keys = new ArrayList<>(size());
        for (Map.Entry<K, V> entry : this) {
            keys.add(entry.getKey());
        }
        return keys;
    }

    @Override
    public Iterator<Map.Entry<K, V>> iterator() {
        return new InOrder<>(root);
    }

    private static final class InOrder<K, V> implements Iterator<Map.Entry<K, V>> {
        private final ArrayDeque<Node<K, V>> pending = new ArrayDeque<>();

        InOrder(@Nullable Node<K, V> root) {
            descend(root);
        }

        private void descend(@Nullable Node<K, V> from) {
            for (Node<K, V> node = from; node != null; node = node.left) {
                pending.push(node);
            }
        }

        @Override
        public boolean hasNext() {
            return !pending.isEmpty();
        }

        @Override
        public Map.Entry<K, V> next() {
            if (pending.isEmpty()) {
                throw new NoSuchElementException();
            }
            Node<K, V> node = pending.pop();
            descend(node.right);
            return node;
        }
    }

    private static int height(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.height;
    }

    private static int size(@Nullable Node<?, ?> node) {
        return node == null ? 0 : node.size;
    }

    private static <K, V> Node<K, V> node(K key, V value, @Nullable Node<K, V> left, @Nullable Node<K, V> right) {
        return new Node<>(
                key, value, left, right, Math.max(height(left), height(right)) + 1, size(left) + size(right) + 1);
    }

    private static <K, V> Node<K, V> rotateRight(Node<K, V> top, Node<K, V> left) {
        return node(left.key, left.value, left.left, node(top.key, top.value, left.right, top.right));
    }

    private static <K, V> Node<K, V> rotateLeft(Node<K, V> top, Node<K, V> right) {
        return node(right.key, right.value, node(top.key, top.value, top.left, right.left), right.right);
    }

    /** Restores the AVL rule for a node whose children differ in height by at most two. */
    private static <K, V> Node<K, V> balance(Node<K, V> top) {
        Node<K, V> left = top.left;
        Node<K, V> right = top.right;
        if (left != null && left.height > height(right) + 1) {
            Node<K, V> inner = left.right;
            if (inner != null && inner.height > height(left.left)) {
                Node<K, V> turned = rotateLeft(left, inner);
                return rotateRight(node(top.key, top.value, turned, right), turned);
            }
            return rotateRight(top, left);
        }
        if (right != null && right.height > height(left) + 1) {
            Node<K, V> inner = right.left;
            if (inner != null && inner.height > height(right.right)) {
                Node<K, V> turned = rotateRight(right, inner);
                return rotateLeft(node(top.key, top.value, left, turned), turned);
            }
            return rotateLeft(top, right);
        }
        return top;
    }

    private static <K extends Comparable<K>, V> Node<K, V> insert(@Nullable Node<K, V> node, K key, V value) {
        if (node == null) {
            return node(key, value, null, null);
        }
        int order = key.compareTo(node.key);
        if (order == 0) {
            return new Node<>(key, value, node.left, node.right, node.height, node.size);
        }
        return balance(
                order < 0
                        ? node(node.key, node.value, insert(node.left, key, value), node.right)
                        : node(node.key, node.value, node.left, insert(node.right, key, value)));
    }

    private static <K extends Comparable<K>, V> @Nullable Node<K, V> remove(@Nullable Node<K, V> node, K key) {
        if (node == null) {
            return null;
        }
        int order = key.compareTo(node.key);
        if (order < 0) {
            return balance(node(node.key, node.value, remove(node.left, key), node.right));
        }
        if (order > 0) {
            return balance(node(node.key, node.value, node.left, remove(node.right, key)));
        }
        if (node.left == null) {
            return node.right;
        }
        if (node.right == null) {
            return node.left;
        }
        Node<K, V> next = node.right;
        while (next.left != null) {
            next = next.left;
        }
        return balance(node(next.key, next.value, node.left, remove(node.right, next.key)));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof PersistentSortedMap<?, ?> map) || map.size() != size()) {
            return false;
        }
        Iterator<? extends Map.Entry<?, ?>> theirs = map.iterator();
        for (Map.Entry<K, V> entry : this) {
            Map.Entry<?, ?> their = theirs.next();
            if (!entry.getKey().equals(their.getKey()) || !Objects.equals(entry.getValue(), their.getValue())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (Map.Entry<K, V> entry : this) {
            hash = 31 * hash + entry.getKey().hashCode() * 17 + Objects.hashCode(entry.getValue());
        }
        return hash;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (Map.Entry<K, V> entry : this) {
            text.append(text.length() == 1 ? "" : ", ")
                    .append(entry.getKey())
                    .append('=')
                    .append(entry.getValue());
        }
        return text.append('}').toString();
    }
}
