/** Instances from a discovery system that Spring Cloud knows. */
@NullMarked
package io.rpcboot.spring.discovery;

import org.jspecify.annotations.NullMarked;
