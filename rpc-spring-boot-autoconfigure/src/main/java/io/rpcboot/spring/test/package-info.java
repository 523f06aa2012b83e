/**
 * Test support: a free port for the server, mocks in place of references, references in
 * slices. Uses {@code reference} and {@code lifecycle}; no package uses it, and only it
 * may use spring-test. Context customizers are equal for equal tests, so that Spring's
 * context cache works.
 */
@NullMarked
package io.rpcboot.spring.test;

import org.jspecify.annotations.NullMarked;
