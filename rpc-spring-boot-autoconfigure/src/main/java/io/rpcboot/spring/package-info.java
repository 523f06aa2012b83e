/**
 * The two annotations, injection of references, export of services and the lifecycle of
 * client and server in a Spring context. Needs Spring Framework only.
 */
@NullMarked
package io.rpcboot.spring;

import org.jspecify.annotations.NullMarked;
