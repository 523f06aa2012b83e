/**
 * What the process did in the last 15 minutes, kept in the process: its values every five
 * seconds, its busiest methods, its slowest and its failed calls. At most 2 MB; nothing
 * leaves the process.
 */
@NullMarked
package io.rpcboot.metrics.history;

import org.jspecify.annotations.NullMarked;
