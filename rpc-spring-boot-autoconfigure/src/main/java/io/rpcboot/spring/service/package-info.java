/**
 * Services: export of beans and their settings.
 */
@NullMarked
package io.rpcboot.spring.service;

import org.jspecify.annotations.NullMarked;
