/** Sample with instances from a discovery system of Spring Cloud. */
@NullMarked
package io.rpcboot.samples.discovery;

import org.jspecify.annotations.NullMarked;
