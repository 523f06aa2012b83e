/**
 * Auto-configuration for Spring Boot. Packages from the bottom to the top:
 * {@code properties}; {@code serialization}, {@code metrics} and {@code registry};
 * {@code diagnostics}; {@code client} and {@code server}; {@code environment}. Bean
 * methods have one to three lines; factories do the work.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
