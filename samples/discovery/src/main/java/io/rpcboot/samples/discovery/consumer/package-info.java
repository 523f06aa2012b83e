/** Application that calls the service. */
@NullMarked
package io.rpcboot.samples.discovery.consumer;

import org.jspecify.annotations.NullMarked;
