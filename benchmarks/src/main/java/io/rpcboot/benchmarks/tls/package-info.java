/**
 * TLS of the measured systems: certificates, connections that do nothing, and records on
 * the wire.
 */
@NullMarked
package io.rpcboot.benchmarks.tls;

import org.jspecify.annotations.NullMarked;
