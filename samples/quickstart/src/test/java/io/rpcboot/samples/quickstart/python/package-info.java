/**
 * What the client in {@code samples/python} is tried with beside the service of the
 * quickstart.
 */
@NullMarked
package io.rpcboot.samples.quickstart.python;

import org.jspecify.annotations.NullMarked;
