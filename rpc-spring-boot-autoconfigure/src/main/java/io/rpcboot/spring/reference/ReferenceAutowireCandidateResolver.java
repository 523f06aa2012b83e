package io.rpcboot.spring.reference;

import io.rpcboot.spring.RpcReference;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AutowireCandidateResolver;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;

/**
 * Resolves every injection point with {@link RpcReference} to its reference, and
 * delegates all others to the previous resolver. Extends the class of that resolver,
 * because other code checks the type of a bean factory's resolver.
 */
final class ReferenceAutowireCandidateResolver extends ContextAnnotationAutowireCandidateResolver {

	private final AutowireCandidateResolver delegate;

	private final DefaultListableBeanFactory beanFactory;

	ReferenceAutowireCandidateResolver(AutowireCandidateResolver delegate, DefaultListableBeanFactory beanFactory) {
		this.delegate = delegate;
		this.beanFactory = beanFactory;
		setBeanFactory(beanFactory);
	}

	@Override
	public @Nullable Object getSuggestedValue(DependencyDescriptor descriptor) {
		ReferenceKey key = ReferencePoint.of(descriptor);
		if (key == null) {
			return this.delegate.getSuggestedValue(descriptor);
		}
		String name = ReferenceDefinitions.register(this.beanFactory, key, ReferencePoint.place(descriptor));
		String override = overridingBean(name, key);
		return this.beanFactory.getBean((override != null) ? override : name);
	}

	@Override
	public boolean isAutowireCandidate(BeanDefinitionHolder holder, DependencyDescriptor descriptor) {
		if (ReferenceDefinitions.isReference(holder.getBeanDefinition())) {
			ReferenceKey key = ReferencePoint.of(descriptor);
			if (key != null) {
				return holder.getBeanName().equals(key.beanName());
			}
		}
		return this.delegate.isAutowireCandidate(holder, descriptor);
	}

	/**
	 * Returns the bean that replaces every reference to the interface; null for none, and
	 * if a test replaced this single reference.
	 */
	private @Nullable String overridingBean(String name, ReferenceKey key) {
		RpcReferenceOverrides overrides = RpcReferenceOverrides.of(this.beanFactory);
		if (overrides == null || !this.beanFactory.containsBeanDefinition(name)
				|| !ReferenceDefinitions.isReference(this.beanFactory.getMergedBeanDefinition(name))) {
			return null;
		}
		return overrides.beanNameFor(key.type());
	}

	@Override
	public boolean isRequired(DependencyDescriptor descriptor) {
		return this.delegate.isRequired(descriptor);
	}

	@Override
	public boolean hasQualifier(DependencyDescriptor descriptor) {
		return this.delegate.hasQualifier(descriptor);
	}

	@Override
	public @Nullable String getSuggestedName(DependencyDescriptor descriptor) {
		return this.delegate.getSuggestedName(descriptor);
	}

	@Override
	public @Nullable Object getLazyResolutionProxyIfNecessary(DependencyDescriptor descriptor,
			@Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyIfNecessary(descriptor, beanName);
	}

	@Override
	public @Nullable Class<?> getLazyResolutionProxyClass(DependencyDescriptor descriptor, @Nullable String beanName) {
		return this.delegate.getLazyResolutionProxyClass(descriptor, beanName);
	}

	@Override
	public AutowireCandidateResolver cloneIfNecessary() {
		return this.delegate.cloneIfNecessary();
	}

}
