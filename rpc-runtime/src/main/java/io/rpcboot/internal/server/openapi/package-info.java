/**
 * OpenAPI document of services whose calls may be JSON. Messages come from the
 * descriptors that reflection tells, constraints from the Java types that are declared by
 * them. Knows neither connections nor calls, and needs jackson-core.
 */
@NullMarked
package io.rpcboot.internal.server.openapi;

import org.jspecify.annotations.NullMarked;
