/** TLS of servers and clients by the SSL bundles of Spring Boot. */
@NullMarked
package io.rpcboot.spring.autoconfigure.ssl;

import org.jspecify.annotations.NullMarked;
