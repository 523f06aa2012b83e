/** Application that calls the service. */
@NullMarked
package io.rpcboot.samples.quickstart.consumer;

import org.jspecify.annotations.NullMarked;
