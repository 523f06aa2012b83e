/**
 * Exception handlers for service methods: the interceptor behind {@code @RpcAdvice}. Uses
 * the annotations of {@code io.rpcboot.spring} only; auto-configuration of the server
 * creates the interceptor. Signatures of all handler methods are checked at start-up, so
 * that a mistake does not appear with the first exception.
 */
@NullMarked
package io.rpcboot.spring.advice;

import org.jspecify.annotations.NullMarked;
