/**
 * Diagnosis: checks that turn a snapshot and its history into findings.
 */
@NullMarked
package io.rpcboot.spring.actuate.findings;

import org.jspecify.annotations.NullMarked;
