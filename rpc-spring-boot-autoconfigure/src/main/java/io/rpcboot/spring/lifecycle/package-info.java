/**
 * Start and stop of clients and servers with the context.
 */
@NullMarked
package io.rpcboot.spring.lifecycle;

import org.jspecify.annotations.NullMarked;
