/** Load balancers alone: what a choice costs, and how calls are shared. */
@NullMarked
package io.rpcboot.benchmarks.balancers;

import org.jspecify.annotations.NullMarked;
