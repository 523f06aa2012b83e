/**
 * Spring Security for the calls of a server: tokens are checked by its providers, rules
 * decide about calls, and the security context is there on the threads of a call. Uses
 * the engine's public API only; auto-configuration of the server takes the beans.
 */
@NullMarked
package io.rpcboot.spring.security;

import org.jspecify.annotations.NullMarked;
