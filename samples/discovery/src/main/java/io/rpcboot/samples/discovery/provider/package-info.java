/** Offers the service, and says its port in Eureka. */
@NullMarked
package io.rpcboot.samples.discovery.provider;

import org.jspecify.annotations.NullMarked;
