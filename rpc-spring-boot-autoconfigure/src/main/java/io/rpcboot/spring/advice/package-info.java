/**
 * Exception handlers around service methods.
 */
@NullMarked
package io.rpcboot.spring.advice;

import org.jspecify.annotations.NullMarked;
