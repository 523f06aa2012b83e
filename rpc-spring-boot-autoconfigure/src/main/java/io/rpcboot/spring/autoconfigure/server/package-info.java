/**
 * Auto-configuration of the server: its properties, and settings of single services. Uses
 * {@code properties}, {@code registry}, {@code serialization}, {@code metrics} and
 * {@code diagnostics}, and the packages {@code service}, {@code lifecycle},
 * {@code advice} and {@code logging}; validation uses it. Each context with services has
 * its own server.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.server;

import org.jspecify.annotations.NullMarked;
