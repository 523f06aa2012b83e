/**
 * References: bean definitions, injection and effective options. Uses the annotations of
 * {@code io.rpcboot.spring}; {@code service}, {@code lifecycle}, auto-configuration and
 * test support use it. A reference is one bean for each distinct set of attributes; its
 * proxy is injected without a client, and the client's reference is created by
 * {@link io.rpcboot.spring.reference.RpcReferenceFactoryBean#connect()} or the first
 * call.
 */
@NullMarked
package io.rpcboot.spring.reference;

import org.jspecify.annotations.NullMarked;
