/**
 * Offers services: accepts connections, dispatches calls, answers.
 */
@NullMarked
package io.rpcboot.server;

import org.jspecify.annotations.NullMarked;
