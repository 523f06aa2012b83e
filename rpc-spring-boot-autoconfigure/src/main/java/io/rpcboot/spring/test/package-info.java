/**
 * For tests of applications: a free port for the server, mocks in the place of
 * references, references in slices. Needs spring-test.
 */
@NullMarked
package io.rpcboot.spring.test;

import org.jspecify.annotations.NullMarked;
