/**
 * Serialization of Spring's types by delegates, and their surrogates on the wire. Uses
 * the engine's public API only; auto-configuration of serializers registers the
 * delegates. A surrogate's components are a wire format: they never change.
 */
@NullMarked
package io.rpcboot.spring.serialization;

import org.jspecify.annotations.NullMarked;
