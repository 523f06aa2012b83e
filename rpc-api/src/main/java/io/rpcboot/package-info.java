/**
 * Vocabulary of all other packages: services and their methods, annotations of
 * interfaces, endpoints, statuses and exceptions. Depends on the JDK and JSpecify alone,
 * because interfaces of services import it; every package may use it. Types are immutable
 * and have no state of the engine; {@link RpcStream} is the end of one stream.
 */
@NullMarked
package io.rpcboot;

import org.jspecify.annotations.NullMarked;
