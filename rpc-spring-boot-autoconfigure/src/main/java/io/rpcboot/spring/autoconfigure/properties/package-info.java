/**
 * Names and binding of properties that client and server share.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
