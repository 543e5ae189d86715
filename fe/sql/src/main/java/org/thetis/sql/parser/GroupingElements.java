// SPDX-License-Identifier: Apache-2.0
package org.thetis.sql.parser;

import java.util.ArrayList;
import java.util.List;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.sql.ast.Expression;
import org.thetis.sql.ast.GroupBy;

/** Spells out the elements of GROUP BY that stand for several grouping sets. */
final class GroupingElements {
    private static final int MAX_CUBE = 12;
    private static final int MAX_SETS = 1 << MAX_CUBE;

    private GroupingElements() {}

    /** ROLLUP; an element in parentheses counts as one step. */
    static GroupBy rollup(List<List<Expression>> elements) {
        if (elements.stream().allMatch(element -> element.size() == 1)) {
            return new GroupBy.Rollup(flat(elements));
        }
        List<List<Expression>> sets = new ArrayList<>();
        for (int length = elements.size(); length >= 0; length--) {
            sets.add(flat(elements.subList(0, length)));
        }
        return new GroupBy.GroupingSets(sets);
    }

    /** CUBE; an element in parentheses is there or not as a whole. */
    static GroupBy cube(List<List<Expression>> elements) {
        if (elements.stream().allMatch(element -> element.size() == 1)) {
            return new GroupBy.Cube(flat(elements));
        }
        return new GroupBy.GroupingSets(subsets(elements));
    }

    /** GROUP BY a, ROLLUP (b): every combination of one set from each element. */
    static GroupBy product(List<GroupBy> elements) {
        List<List<Expression>> result = new ArrayList<>();
        result.add(List.of());
        for (GroupBy element : elements) {
            List<List<Expression>> sets = sets(element);
            List<List<Expression>> next = new ArrayList<>();
            if ((long) result.size() * sets.size() > MAX_SETS) {
                throw new ThetisException(ErrorCode.ANALYSIS, "GROUP BY has more than " + MAX_SETS + " grouping sets");
            }
            for (List<Expression> before : result) {
                for (List<Expression> set : sets) {
                    next.add(flat(List.of(before, set)));
                }
            }
            result = next;
        }
        return new GroupBy.GroupingSets(result);
    }

    private static List<List<Expression>> sets(GroupBy element) {
        if (element instanceof GroupBy.Rollup rollup) {
            List<List<Expression>> sets = new ArrayList<>();
            for (int length = rollup.expressions().size(); length >= 0; length--) {
                sets.add(rollup.expressions().subList(0, length));
            }
            return sets;
        }
        if (element instanceof GroupBy.Cube cube) {
            return subsets(cube.expressions().stream().map(List::of).toList());
        }
        return element instanceof GroupBy.GroupingSets given
                ? given.sets()
                : List.of(((GroupBy.Expressions) element).expressions());
    }

    private static List<List<Expression>> subsets(List<List<Expression>> elements) {
        if (elements.size() > MAX_CUBE) {
            throw new ThetisException(ErrorCode.ANALYSIS, "CUBE takes at most " + MAX_CUBE + " columns");
        }
        List<List<Expression>> sets = new ArrayList<>();
        for (int mask = (1 << elements.size()) - 1; mask >= 0; mask--) {
            List<List<Expression>> present = new ArrayList<>();
            for (int i = 0; i < elements.size(); i++) {
                if ((mask >> (elements.size() - 1 - i) & 1) != 0) {
                    present.add(elements.get(i));
                }
            }
            sets.add(flat(present));
        }
        return sets;
    }

    private static List<Expression> flat(List<List<Expression>> lists) {
        List<Expression> all = new ArrayList<>();
        lists.forEach(all::addAll);
        return all;
    }
}
