/**
 * What a service promises, as data that both sides compare: methods, types, fields,
 * constants. Class names in here are compared and never looked up.
 */
@NullMarked
package io.rpcboot.serialization.contract;

import org.jspecify.annotations.NullMarked;
