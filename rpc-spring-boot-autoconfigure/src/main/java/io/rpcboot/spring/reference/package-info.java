/**
 * References: definitions, injection and settings.
 */
@NullMarked
package io.rpcboot.spring.reference;

import org.jspecify.annotations.NullMarked;
