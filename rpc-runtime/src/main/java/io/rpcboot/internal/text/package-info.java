/**
 * Texts of peers, before they reach a log line, a message, a metric tag or a name.
 * <p>
 * Uses nothing. Bodies of frames, nodes of a registry and log lines pass their texts
 * through here, so that no peer writes a line of its own, hides a text or fills a disk.
 */
@NullMarked
package io.rpcboot.internal.text;

import org.jspecify.annotations.NullMarked;
