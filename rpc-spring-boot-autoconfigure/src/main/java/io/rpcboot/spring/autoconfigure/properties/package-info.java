/**
 * Names and binding of properties that several packages share. Bottom of the
 * auto-configuration: uses the engine's public API only. Keys of maps are compared
 * without case and punctuation everywhere, because environment variables have neither.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.properties;

import org.jspecify.annotations.NullMarked;
