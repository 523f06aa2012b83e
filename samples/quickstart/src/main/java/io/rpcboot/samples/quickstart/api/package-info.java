/** API that provider and consumer share: the interface and its types. */
@NullMarked
package io.rpcboot.samples.quickstart.api;

import org.jspecify.annotations.NullMarked;
