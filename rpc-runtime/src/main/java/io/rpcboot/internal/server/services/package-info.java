/**
 * Offered services and their contracts. Built once at start-up from the options; room
 * {@code connection} looks up services here for each BIND. A contract of a client is
 * translated once and shared by connections; the cache is bounded and reserved in the
 * memory budget, because clients choose what is in it.
 */
@NullMarked
package io.rpcboot.internal.server.services;

import org.jspecify.annotations.NullMarked;
