package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Subtypes that may arrive where the annotated class or interface is declared, as a
 * parameter, a result or a field:
 *
 * <pre>{@code
 * &#64;RpcSubtypes({ Circle.class, Square.class })
 * public interface Shape {
 * }
 * }</pre>
 *
 * A sealed type needs no annotation, because its permitted subclasses are the list. Only
 * listed classes can arrive: no class is loaded by a name from the wire.
 *
 * @since 0.1.0
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RpcSubtypes {

	/**
	 * Subtypes of the annotated type. An abstract or sealed subtype adds its own
	 * subtypes. Instances of the annotated class itself may arrive, too, unless it is
	 * abstract.
	 * @return the subtypes
	 */
	Class<?>[] value();

}
