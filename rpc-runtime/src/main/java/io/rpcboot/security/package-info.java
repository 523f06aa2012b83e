/**
 * Security of calls: credentials of clients, their check at the server, and rules about
 * who may call what. Applications implement the interfaces, the engines call them. The
 * package depends on the root package and {@code context} only. Secrets are in no text
 * that its classes return.
 */
@NullMarked
package io.rpcboot.security;

import org.jspecify.annotations.NullMarked;
