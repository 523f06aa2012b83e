/**
 * Auto-configuration of serializers.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.serialization;

import org.jspecify.annotations.NullMarked;
