/**
 * Default properties and names of environment variables.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.environment;

import org.jspecify.annotations.NullMarked;
