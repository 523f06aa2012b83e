/**
 * Interceptors: code of an application around its calls, on both sides. Applications
 * implement the interfaces, the engines call them; the package depends on the root
 * package and {@code context} only. Each interceptor has its own view of a call, may
 * proceed from another thread, and proceeds again only if the call did not execute or is
 * idempotent.
 */
@NullMarked
package io.rpcboot.interceptor;

import org.jspecify.annotations.NullMarked;
