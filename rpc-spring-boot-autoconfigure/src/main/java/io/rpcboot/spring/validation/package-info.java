/**
 * Bean Validation of what arrives at a server.
 */
@NullMarked
package io.rpcboot.spring.validation;

import org.jspecify.annotations.NullMarked;
