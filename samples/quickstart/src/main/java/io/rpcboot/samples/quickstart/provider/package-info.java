/** Application that offers the service. */
@NullMarked
package io.rpcboot.samples.quickstart.provider;

import org.jspecify.annotations.NullMarked;
