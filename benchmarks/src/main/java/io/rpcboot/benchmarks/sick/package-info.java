/**
 * Sick instances: processes that are slow, fail, stand still, die or start cold, and what
 * their callers notice.
 */
@NullMarked
package io.rpcboot.benchmarks.sick;

import org.jspecify.annotations.NullMarked;
