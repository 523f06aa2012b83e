/**
 * What a client or a server keeps in memory: one account, and what it lets its peers
 * send.
 */
@NullMarked
package io.rpcboot.internal.memory;

import org.jspecify.annotations.NullMarked;
