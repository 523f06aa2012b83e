/**
 * This project, as it is and with other settings.
 */
@NullMarked
package io.rpcboot.benchmarks.ours;

import org.jspecify.annotations.NullMarked;
