package io.rpcboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The classes that may stand where a class or interface is declared, in a parameter, a
 * result or a field. A sealed type needs it not: its permitted subclasses are the list.
 * Only classes that are declared can arrive; no class is looked up by a name from the
 * wire.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RpcSubtypes {

	/**
	 * The subclasses. The annotated class itself may be an instance too unless it is
	 * abstract; a subclass that is abstract or sealed brings its own subtypes.
	 * @return subclasses of the annotated type
	 */
	Class<?>[] value();

}
