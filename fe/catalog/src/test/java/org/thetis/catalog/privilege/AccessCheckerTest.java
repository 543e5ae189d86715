// SPDX-License-Identifier: Apache-2.0
package org.thetis.catalog.privilege;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.thetis.base.error.ErrorCode;
import org.thetis.base.error.ThetisException;
import org.thetis.catalog.object.Grant;
import org.thetis.catalog.object.NativePassword;
import org.thetis.catalog.object.Privilege;
import org.thetis.catalog.object.Role;
import org.thetis.catalog.object.Scope;
import org.thetis.catalog.object.User;
import org.thetis.catalog.object.UserIdentity;
import org.thetis.catalog.persist.InitializeCluster;
import org.thetis.catalog.snapshot.CatalogSnapshot;

class AccessCheckerTest {
    private static final UserIdentity READER = new UserIdentity("reader", "%");
    private static final UserIdentity OFFICE = new UserIdentity("reader", "10.1.%");

    private static AccessChecker checker() {
        CatalogSnapshot snapshot = new InitializeCluster(1, "t", "").apply(CatalogSnapshot.EMPTY);
        User reader =
                User.of(READER, "").withGrants(Grant.add(List.of(), Scope.database("shop"), Set.of(Privilege.SELECT)));
        User office = User.of(OFFICE, "").withRoles(Set.of("loader"));
        Role loader = new Role("loader", List.of(new Grant(Scope.table("shop", "orders"), Set.of(Privilege.LOAD))), "");
        return snapshot.withUser(reader).withUser(office).withRole(loader).accessChecker();
    }

    @Test
    void grantsCoverWhatLiesInside() {
        AccessChecker checker = checker();
        assertThat(checker.has(READER, Scope.table("shop", "orders"), Privilege.SELECT))
                .isTrue();
        assertThat(checker.has(READER, Scope.table("shop", "orders"), Privilege.LOAD))
                .isFalse();
        assertThat(checker.has(READER, Scope.table("other", "orders"), Privilege.SELECT))
                .isFalse();
        assertThat(checker.has(READER, Scope.GLOBAL, Privilege.SELECT)).isFalse();
        assertThat(checker.canSee(READER, Scope.database("shop"))).isTrue();
        assertThat(checker.canSee(READER, Scope.database("other"))).isFalse();
    }

    @Test
    void rolesGrantToo() {
        AccessChecker checker = checker();
        assertThat(checker.has(OFFICE, Scope.table("shop", "orders"), Privilege.LOAD))
                .isTrue();
        assertThat(checker.has(OFFICE, Scope.database("shop"), Privilege.LOAD)).isFalse();
        assertThat(checker.canSee(OFFICE, Scope.database("shop")))
                .as("a right on a table shows its database")
                .isTrue();
    }

    @Test
    void builtInUsers() {
        AccessChecker checker = checker();
        assertThat(checker.has(UserIdentity.ROOT, Scope.GLOBAL, Privilege.NODE)).isTrue();
        assertThat(checker.has(UserIdentity.ADMIN, Scope.GLOBAL, Privilege.NODE))
                .isFalse();
        assertThat(checker.has(UserIdentity.ADMIN, Scope.table("a", "b"), Privilege.DROP))
                .isTrue();
    }

    @Test
    void mostSpecificHostWins() {
        AccessChecker checker = checker();
        assertThat(checker.matchUser("reader", "10.1.2.3").orElseThrow().identity())
                .isEqualTo(OFFICE);
        assertThat(checker.matchUser("reader", "10.2.2.3").orElseThrow().identity())
                .isEqualTo(READER);
        assertThat(checker.matchUser("nobody", "10.2.2.3")).isEmpty();
    }

    @Test
    void refusalsNameUserAndThing() {
        AccessChecker checker = checker();
        assertThatThrownBy(() -> checker.checkTable(READER, "shop", "orders", Privilege.LOAD))
                .hasMessageContaining("LOAD command denied to user 'reader'@'%'")
                .satisfies(failure ->
                        assertThat(((ThetisException) failure).code()).isEqualTo(ErrorCode.ACCESS_DENIED_TABLE));
        assertThatThrownBy(() -> checker.checkDatabase(READER, "other", Privilege.CREATE))
                .hasMessage("Access denied for user 'reader'@'%' to database 'other'");
        assertThatThrownBy(() -> checker.checkGlobal(READER, Privilege.ADMIN)).hasMessageContaining("(Admin_priv)");
    }

    @Test
    void nativePasswords() throws NoSuchAlgorithmException {
        // The known value of MySQL's PASSWORD('password').
        String stored = NativePassword.hash("password");
        assertThat(stored).isEqualTo("*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19");
        byte[] random = "01234567890123456789".getBytes(StandardCharsets.US_ASCII);
        byte[] once = sha1("password".getBytes(StandardCharsets.UTF_8));
        byte[] mask = sha1(concat(random, sha1(once)));
        byte[] answer = new byte[20];
        for (int i = 0; i < 20; i++) {
            answer[i] = (byte) (once[i] ^ mask[i]);
        }
        assertThat(NativePassword.matchesScramble(stored, answer, random)).isTrue();
        answer[3] ^= 1;
        assertThat(NativePassword.matchesScramble(stored, answer, random)).isFalse();
        assertThat(NativePassword.matchesScramble("", new byte[0], random)).isTrue();
        assertThat(NativePassword.matchesScramble(stored, new byte[0], random)).isFalse();
        assertThat(NativePassword.matchesScramble("", answer, random)).isFalse();
        assertThat(NativePassword.matches(stored, "password")).isTrue();
        assertThatThrownBy(() -> NativePassword.checkHash("*12")).hasMessageContaining("hexadecimal");
    }

    private static byte[] sha1(byte[] bytes) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-1").digest(bytes);
    }

    private static byte[] concat(byte[] left, byte[] right) {
        byte[] all = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, all, left.length, right.length);
        return all;
    }
}
