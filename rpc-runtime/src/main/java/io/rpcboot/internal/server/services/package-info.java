/**
 * Services that a server offers, and the contracts under which it offers them.
 */
@NullMarked
package io.rpcboot.internal.server.services;

import org.jspecify.annotations.NullMarked;
