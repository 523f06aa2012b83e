/**
 * Spring MVC behind the measured calls by JSON.
 */
@NullMarked
package io.rpcboot.benchmarks.webmvc;

import org.jspecify.annotations.NullMarked;
