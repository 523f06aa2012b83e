/** Application that offers the service and publishes its RPC port in Eureka. */
@NullMarked
package io.rpcboot.samples.discovery.provider;

import org.jspecify.annotations.NullMarked;
