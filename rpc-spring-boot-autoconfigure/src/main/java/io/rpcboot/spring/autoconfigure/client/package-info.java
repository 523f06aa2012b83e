/**
 * Auto-configuration of the client: its properties, and settings of single references.
 * Uses {@code properties}, {@code registry}, {@code serialization}, {@code metrics} and
 * {@code diagnostics}, and the packages {@code reference} and {@code lifecycle}; the
 * endpoint uses it. The client is created with the first reference, so nothing here may
 * create it at start-up.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.client;

import org.jspecify.annotations.NullMarked;
