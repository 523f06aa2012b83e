/**
 * For tests of applications: the server's port, and mocks in the place of references.
 * Needs spring-test.
 */
@NullMarked
package io.rpcboot.spring.test;

import org.jspecify.annotations.NullMarked;
