/**
 * Code of an application around its calls, on both sides.
 */
@NullMarked
package io.rpcboot.interceptor;

import org.jspecify.annotations.NullMarked;
