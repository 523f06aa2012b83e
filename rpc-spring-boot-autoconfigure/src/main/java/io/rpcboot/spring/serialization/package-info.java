/**
 * Types of Spring that are carried: delegates as an application gives them for the types
 * of others, and what stands for each type on the wire.
 */
@NullMarked
package io.rpcboot.spring.serialization;

import org.jspecify.annotations.NullMarked;
